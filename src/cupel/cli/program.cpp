#include "cupel/cli/program.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/base/registry.h"
#include "cupel/base/visible.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"
#include "cupel/lab/record/identity.h"

namespace cupel::cli {
#include "command_registry.inc"

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> all =
      sorted_entries(command_registry(), [](const Command* command) {
        return std::pair(command->topic, std::string_view(command->name));
      });
  return all;
}

namespace {

// Headings of the help, by Topic.
constexpr const char* kTopics[] = {"What there is", "Data sets", "Runs",
                                   "Results",       "Stores",    "Many machines"};

constexpr const char* kFooter =
    "`cupel help COMMAND` shows what a command takes.\n"
    "Data sets are looked for in --data DIR, else in $CUPEL_DATA, else in the user's cache "
    "folder.\n"
    "-- ends options. A file called - is given as ./-\n"
    "Exit code: 0 done, 1 runs failed or could not start, 2 usage or bad input, 3 stores "
    "contradict "
    "each other or are not as they were kept, 74 and 75: see `cupel work --help`, 130 ended by "
    "Ctrl-C.";

// CLI11's help with fewer marks: what an option takes stands in its type name.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = app->get_footer();
    return footer.empty() ? "" : "\n" + footer;
  }
};

// Names with line ends and the like are told from several lines of a message by nobody.
void check_characters(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
    if (std::any_of(text.begin(), text.end(), is_control))
      fail("the argument '{}' has a line end or another control character; rename what it names",
           visible_line(text));
  }
}

// CLI11 would take the next argument for the value of "--store=".
void check_empty_values(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view text = argv[i];
    if (text.starts_with("--") && text.find('=') == text.size() - 1)
      fail("the argument '{}' has no value behind '='; give one, or leave the option out", text);
  }
}

// CLI11 would take a misspelt command for a missing one.
void check_command_name(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string name = argv[1];
  std::vector<std::string> known;
  for (const Command* command : commands()) known.push_back(command->name);
  if (std::count(known.begin(), known.end(), name)) return;
  fail("there is no command '{}'{}", name, near_or_all(name, known));
}

// Arguments that the command does not know.
void check_extras(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  const auto mark = std::find(extras.begin(), extras.end(), "--");  // ends options, is none
  const auto options = static_cast<std::size_t>(mark - extras.begin());
  if (mark != extras.end()) extras.erase(mark);
  if (extras.empty()) return;
  const std::string help = fmt::format("`cupel {} --help` lists what there is", app.get_name());
  for (std::size_t i = 0; i < options; ++i) {
    const std::string& extra = extras[i];
    if (extra.size() < 2 || extra[0] != '-') continue;
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
    }
    fail("{}: there is no option '{}'{}", app.get_name(), name, near_text(name, known, help));
  }
  fail("{}: one argument too many: '{}'; {}", app.get_name(), extras.front(), help);
}

// What CLI11 found wrong, as a sentence of ours.
[[noreturn]] void usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
  std::string message = error.what();
  while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
  fail("{}{}; `cupel {}--help` shows how", command.empty() ? "" : command + ": ", message,
       command.empty() ? "" : command + " ");
}

// Of the command, if one was given.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  return text;
}

// `cupel help` and `cupel help COMMAND` are --help of the program and of the command.
std::vector<char*> without_help_word(int argc, char** argv) {
  static char option[] = "--help";
  std::vector<char*> out(argv, argv + argc);
  if (argc < 2 || std::string(argv[1]) != "help") return out;
  if (argc > 3) fail("help: one argument too many: '{}'; write `cupel help COMMAND`", argv[3]);
  out.erase(out.begin() + 1);
  if (out.size() == 1 || std::string(out[1]) != option) out.push_back(option);
  return out;
}

int parse_and_perform(int given, char** arguments) {
  std::vector<char*> words = without_help_word(given, arguments);
  const int argc = static_cast<int>(words.size());
  words.push_back(nullptr);
  char** const argv = words.data();
  CLI::App app("Cupel assays benchmarks for graph learning.", "cupel");
  app.set_version_flag("--version",
                       fmt::format("cupel {} (numerics {})", CUPEL_VERSION, kNumericsVersion),
                       "Print the version, and that of the numbers");
  app.set_help_flag("-h,--help", "Print this help");
  app.footer(wrap(kFooter));
  app.require_subcommand(0, 1);
  auto formatter = std::make_shared<HelpFormatter>();
  formatter->column_width(24);
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("Positionals", "Arguments");
  app.formatter(formatter);

  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command* command : commands()) {
    CLI::App* sub = app.add_subcommand(command->name, command->doc);
    sub->allow_extras();
    sub->group(kTopics[static_cast<std::size_t>(command->topic)]);
    sub->footer("");
    Syntax syntax(*sub);
    actions.emplace_back(sub, command->declare(syntax));
  }
  check_characters(argc, argv);
  check_empty_values(argc, argv);
  check_command_name(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_out(help_text(app));
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    print_out(std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::ParseError& error) {
    usage_error(app, error);
  }
  for (const auto& [sub, action] : actions) {
    if (!sub->parsed()) continue;
    check_extras(*sub);
    return action();
  }
  print_out(help_text(app));
  return kDone;
}

int perform(int argc, char** argv) {
  try {
    return parse_and_perform(argc, argv);
  } catch (const Error& error) {
    print_error(error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
    return kBadInput;
  } catch (const std::system_error& error) {
    // The system refused what no check of ours foresaw: a folder that may not be listed, a path
    // that is too long, a thread too many.
    print_error(fmt::format("the system says: {}", error.what()));
    return kBadInput;
  } catch (const std::exception& error) {
    print_error(fmt::format("this is a bug of cupel, please report it: {}", error.what()));
    return kBug;
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  tidy_up_on_signals();
  try {
    return perform(argc, argv);
  } catch (const ClosedPipe&) {
    end_by_closed_pipe();
  }
}

}  // namespace cupel::cli
