#include "cupel/data/wiki/text_links.h"

#include <gtest/gtest.h>

#include <vector>

namespace cupel::test {
namespace {

using Texts = std::vector<std::string>;

Texts links(std::string_view text) {
  const WikiNames names(
      std::vector<WikiNamespace>{{0, "", false}, {6, "Datei", false}, {14, "Kategorie", false}},
      "de");
  Texts out;
  TextLinks(names).read(text, [&](const WikiTitle& title) { out.push_back(title.name); });
  return out;
}

TEST(TextLinks, InTextualOrderWithRepeats) {
  EXPECT_EQ(links("[[b]]s and [[a|A]], [[B]]; [[ foo__bar#part|x]] [[:c]] [[d?]] [[e%C3%A9]]"),
            (Texts{"B", "A", "B", "Foo bar", "C", "D?", "Eé"}));
  EXPECT_EQ(links("{{t|[[a]]}} {| \n| [[b]]\n|} '''[[c|''c'']]''' <ref>[[d]]</ref>"),
            (Texts{"A", "B", "C", "D"}));
}

TEST(TextLinks, OfFilesCaptions) {
  EXPECT_EQ(links("[[Datei:x.jpg|thumb|a [[b|c]] d [[e]]]] [[File:y.png|[[f]]]] [[Image:z]]"),
            (Texts{"B", "E", "F"}));
}

TEST(TextLinks, OtherNamespacesAndWikisAreLeftOut) {
  EXPECT_EQ(links("[[Kategorie:a]] [[:Kategorie:a]] [[category:a]] [[Template:a]] [[Wikipedia:a]] "
                  "[[en:a]] [[:fr:a]] [[wikt:a]] [[#a]] [[special:a]] [[User talk:a]]"),
            Texts{});
  EXPECT_EQ(links("[[de:a]] [[Foo:a]]"), (Texts{"A", "Foo:a"}));
}

TEST(TextLinks, WhatIsNoLink) {
  EXPECT_EQ(links("[[http://a.org]] [[//a.org]] [[HTTPS://a b]] [http://a.org [[b]]] [[mailto:a]] "
                  "[[Wikipedia://a]]"),
            Texts{"B"});
  EXPECT_EQ(links("[[a]b]] [[a\nb]] [[{{a}}]] [[a<b]] [[]] [[|a]] [[ ]] [[a [[b]] [[c|d"),
            Texts{"B"});
  EXPECT_EQ(links("<!--[[a]]--><nowiki>[[b]]</nowiki><pre>[[c]]</pre>"
                  "<syntaxhighlight lang=\"x\">a[[1]]</syntaxhighlight>[[d]]<!--"),
            Texts{"D"});
}

}  // namespace
}  // namespace cupel::test
