#include "cupel/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "cupel/base/leftovers.h"
#include "cupel/base/visible.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

// What a signal handler may touch.
std::atomic<bool> interrupted = false;
std::atomic<int> signal_number = 0;
std::atomic<const char*> message_text = nullptr;
std::atomic<int> ending_code = 0;  // instead of the signal; 0: the signal
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<const char*>::is_always_lock_free);

constexpr std::array kEndings = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
std::array<struct sigaction, kEndings.size()> old_actions;

pid_t own_process = 0;

void write_error(const char* text, std::size_t size) {
  // A terminal that is gone is no reason to stop.
  if (::write(STDERR_FILENO, text, size) < 0) return;
}

void end_by(int number) {
  if (const int code = ending_code) ::_exit(code);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void on_end(int number) {
  constexpr std::string_view kTold = "\ncupel: stopped; what was half-written is removed\n";
  // A child that has not yet become another program owns nothing.
  if (::getpid() == own_process && remove_leftovers() > 0) write_error(kTold.data(), kTold.size());
  end_by(number);
}

// Writing beyond the limit or to a closed pipe then fails with EFBIG or EPIPE. A handler, since
// programs that are started would inherit that the signal is ignored.
void on_failed_write(int) {}

void on_signal(int number) {
  if (interrupted.exchange(true)) {
    // A warning may come late, or several times: the death of a parent is told by each of its
    // threads.
    if (number == SIGUSR1) return;
    // Kept runs are kept whatever happens.
    remove_leftovers();
    end_by(number);
    return;
  }
  signal_number = number;
  if (const char* text = message_text) write_error(text, std::strlen(text));
}

// What it was before is put into `old`. `polite`: not where it is ignored.
void handle(int number, void (*handler)(int), bool polite, struct sigaction* old) {
  struct sigaction before {};
  ::sigaction(number, nullptr, &before);
  if (old != nullptr) *old = before;
  if (polite && before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(number, &action, nullptr);
}

// A terminal that says of itself that it knows no sequences, as those inside editors do.
bool is_dumb() {
  const char* const kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

// The first `columns` columns of UTF-8 text.
std::string cut(const std::string& text, std::size_t columns) {
  std::size_t end = 0, used = 0;
  for (; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && ++used > columns) break;
  }
  return text.substr(0, end);
}

}  // namespace

void tidy_up_on_signals() {
  own_process = ::getpid();
  for (const int number : kEndings) handle(number, on_end, true, nullptr);
  handle(SIGXFSZ, on_failed_write, false, nullptr);
  handle(SIGPIPE, on_failed_write, true, nullptr);
}

bool closed_pipes_end() {
  struct sigaction now {};
  return ::sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == on_failed_write;
}

void end_by_closed_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  ::_exit(128 + SIGPIPE);
}

void end_signals_with(int code) { ending_code = code; }

StatusLine::StatusLine() : enabled_(::isatty(STDERR_FILENO) == 1 && !is_dumb()) {}

void StatusLine::show(const std::string& line, bool now) {
  if (!enabled_) return;
  const auto time = std::chrono::steady_clock::now();
  if (!now && shown_ && time - last_ < std::chrono::milliseconds(100)) return;
  last_ = time;
  shown_ = true;
  // \r: to the start of the line; ESC[K: clear what is left of the line before.
  const std::string text = "\r" + cut(visible_line(line), terminal_width() - 1) + "\x1b[K";
  write_error(text.data(), text.size());
}

void StatusLine::clear() {
  if (!shown_) return;
  shown_ = false;
  write_error("\r\x1b[K", 4);
}

Interrupt::Interrupt(const char* message) {
  interrupted = false;
  signal_number = 0;
  message_text = message;
  for (std::size_t i = 0; i < kEndings.size(); ++i)
    handle(kEndings[i], on_signal, kEndings[i] == SIGHUP, &old_actions[i]);
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kEndings.size(); ++i)
    ::sigaction(kEndings[i], &old_actions[i], nullptr);
}

const std::atomic<bool>& Interrupt::flag() const { return interrupted; }

int Interrupt::exit_code() const { return signal_number == 0 ? 0 : 128 + signal_number; }

}  // namespace cupel::cli
