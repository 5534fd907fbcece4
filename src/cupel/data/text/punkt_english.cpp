// Written from general knowledge of English usage, in the groups that the comments name.
#include <algorithm>

#include "cupel/data/text/punkt.h"

namespace cupel {
namespace {

constexpr std::string_view kAbbreviations[] = {
    // Titles of persons, and what stands behind names.
    "mr mrs ms mx dr prof rev hon messrs mme mlle fr jr sr esq gov sen sens rep reps pres amb atty "
    "supt insp gen lt col maj capt cmdr cpl sgt pvt adm brig ph.d m.d d.d.s m.b.a b.a m.a b.s m.s "
    "ll.b ll.d",
    // Companies.
    "inc corp co cos ltd bros cie mfg intl assn l.p l.l.c s.a n.v b.v a.g s.p.a c.v",
    // Months and days that newspapers shorten.
    "jan feb aug sept sep oct nov dec mon tues wed thurs fri",
    // States and provinces, but those that are words of their own at ends of sentences.
    "ala ariz ark calif colo conn fla ga ill ind kan kans ky md mich minn mont neb nebr nev okla "
    "ore pa penn tenn tex va vt wash wis wisc wyo ont que alta sask n.h n.j n.m n.y n.c n.d r.i "
    "s.c s.d w.va w.v b.c n.s d.c",
    // Countries, cities and bodies.
    "u.s u.s.a u.s.s.r u.k u.n u.a.e e.u l.a n.z p.r u.s.c u.s.n r.n u.s.m.c",
    // Streets and places.
    "st ste ave blvd rd hwy rte ft mt mts bldg",
    // Times, measures and what newspapers count.
    "a.m p.m a.d yr yrs hr hrs mph lb lbs oz mg kg ct chg vs v.s",
    // Initials of names; the letters that are words or variables are weighed by what follows.
    "b c d e f g h j k l m n p r s t v w"};

// Words that are capitalised at the beginning of sentences and hardly elsewhere.
constexpr std::string_view kCommon[] = {
    "the this that these those there here it its he his him she her they their them we our you "
    "your i'm it's he's she's that's there's what who whom whose which when where why how while "
    "whereas whether",
    "and but or nor so yet for if then than because although though unless until since as also "
    "however therefore thus hence otherwise instead meanwhile moreover furthermore nevertheless "
    "nonetheless besides still again rather indeed perhaps maybe",
    "in on at by to from with without within into onto upon over under about above below after "
    "before during between among against through throughout across along around behind beyond "
    "despite except like near of off per toward towards up down via according",
    "all any both each every either neither many much most more some several few other others "
    "another such no none nothing nobody someone something anyone anything everyone everything "
    "only even just not now today later soon earlier once often sometimes usually generally "
    "recently currently originally initially eventually finally previously similarly typically "
    "additionally subsequently consequently alternatively unfortunately although specifically",
    "is are was were be been being am has have had having do does did done can could would should "
    "must might shall let make made use used using given see note go get got take took come came "
    "say said think know want need give keep put find found based known called",
    "people men women children students others members users years days months weeks things "
    "systems programs data information software computers scientists researchers experts critics "
    "officials analysts companies",
    "a an one two three four five six seven eight nine ten first second third next last former "
    "new old early late good bad large small long short different various certain modern "
    "please yes well why too very"};

template <class Put>
void for_each_word(std::string_view words, Put put) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    put(word);
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
}

}  // namespace

const PunktModel& PunktModel::english() {
  static const PunktModel made = [] {
    PunktModel model;
    for (const std::string_view words : kAbbreviations)
      for_each_word(words, [&](std::string_view word) { model.abbreviations.emplace(word); });
    for (const std::string_view words : kCommon) {
      for_each_word(words, [&](std::string_view word) {
        model.contexts[std::string(word)] = kBeginUpper | kMiddleLower;
      });
    }
    return model;
  }();
  return made;
}

}  // namespace cupel
