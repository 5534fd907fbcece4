// A report as a file, or as a folder of files.
#pragma once

#include <string>

#include "cupel/api/store_page.h"
#include "cupel/judge/report/report.h"

namespace cupel {

// The format that a file's name means; of a name without one, and of "", text. Throws Error for an
// extension that no format has.
[[nodiscard]] const Format& format_of_file(const std::string& path);

// Whether it is the page for a browser, which is made of a store: it has all protocols of it, and
// audits of its data sets.
[[nodiscard]] bool is_page(const Format& format);

// audited_data() for a page. Throws Error where a folder is given for another format.
[[nodiscard]] AuditedData audited_for(const Format& format, const std::string& given);

// What is reported: a page is read from the store at once (store_page()), everything else is made
// of results that were read from there.
struct ReportSource {
  const Results& results;  // not looked at for a page
  StorePageRequest page;
};

struct ReportText {
  std::string text;
  std::string note;  // a sentence for who gets it: that a page is too large; else empty
};
// As render(); `name` is what the note calls it. Throws Error as render() and store_page() do.
[[nodiscard]] ReportText report_text(const ReportSource& source, const Format& format,
                                     const std::string& name);

// Throws Error where what is at the path would keep write_report() from writing this format.
void check_report_path(const Format& format, const std::string& path);

// Writes it in this format, and returns the note. A file takes the place of one that is there; a
// folder must not be there or be empty, and appears whole. Throws Error as report_text() does, and
// if it cannot be written.
std::string write_report(const ReportSource& source, const std::string& path, const Format& format);

}  // namespace cupel
