#include "cupel/data/fetch/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "cupel/base/error.h"
#include "cupel/data/fetch/part_file.h"

namespace cupel::http {
namespace {

// Everything the callbacks of one transfer share.
struct Transfer {
  CURL* curl = nullptr;
  const Limits* limits = nullptr;
  const Progress* progress = nullptr;
  PartFile* file = nullptr;  // nullptr: a probe
  std::filesystem::path part;
  std::string url;
  std::int64_t offset = 0;  // asked for
  std::int64_t size = 0;    // of the part so far
  bool started = false;     // the body's first bytes were taken
  bool resumed = false;
  std::string problem;  // why a callback stopped the transfer
  bool final_problem = false;
  // Headers of the last answer.
  std::string etag, last_modified;
  std::int64_t range_start = -1, range_total = -1;
};

// The value of header `name` (lower case) if `line` is that header.
bool header_value(std::string_view line, std::string_view name, std::string& value) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(line[i])) != name[i]) return false;
  }
  line.remove_prefix(name.size() + 1);
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t\r\n");
  value = first == std::string_view::npos ? "" : std::string(line.substr(first, last - first + 1));
  return true;
}

std::size_t on_header(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size);
  if (line.starts_with("HTTP/")) {
    transfer.etag.clear();
    transfer.last_modified.clear();
    transfer.range_start = transfer.range_total = -1;
  }
  std::string value;
  if (header_value(line, "etag", value)) transfer.etag = value;
  if (header_value(line, "last-modified", value)) transfer.last_modified = value;
  if (header_value(line, "content-range", value)) {
    long long first = -1, last = -1, total = -1;
    if (std::sscanf(value.c_str(), "bytes %lld-%lld/%lld", &first, &last, &total) >= 2) {
      transfer.range_start = first;
      transfer.range_total = total;
    }
  }
  return size;
}

// Decides, when the first bytes of the body are there, whether they continue the part or begin it.
bool begin_body(Transfer& transfer) {
  transfer.started = true;
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == 206 && transfer.offset > 0) {
    transfer.resumed = transfer.range_start == transfer.offset;
    if (!transfer.resumed) {
      transfer.problem = fmt::format("asked to continue at byte {}, it answered from byte {}",
                                     transfer.offset, transfer.range_start);
    }
    return transfer.resumed;
  }
  if (status != 200) {
    transfer.problem = fmt::format("unexpected answer HTTP {}", status);
    transfer.final_problem = true;
    return false;
  }
  transfer.size = 0;
  // A weak validator does not vouch for bytes.
  const bool weak = transfer.etag.starts_with("W/");
  const Note note = {transfer.url,
                     transfer.etag.empty() || weak ? transfer.last_modified : transfer.etag};
  if (write_note(transfer.part, note) && transfer.file->truncate()) return true;
  transfer.problem =
      fmt::format("{} cannot be written: {}", transfer.part.string(), std::strerror(errno));
  transfer.final_problem = true;
  return false;
}

std::size_t on_body(char* data, std::size_t, std::size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (!transfer.file) {
    transfer.started = true;
    return 0;  // a probe has seen enough
  }
  if (!transfer.started && !begin_body(transfer)) return 0;
  if (transfer.size + static_cast<std::int64_t>(size) > transfer.limits->max_bytes) {
    transfer.problem = fmt::format("the body is larger than {} bytes", transfer.limits->max_bytes);
    transfer.final_problem = true;
    return 0;
  }
  if (!transfer.file->append(data, size)) {
    transfer.problem =
        fmt::format("{} cannot be written: {}", transfer.part.string(), std::strerror(errno));
    transfer.final_problem = true;
    return 0;
  }
  transfer.size += static_cast<std::int64_t>(size);
  return size;
}

int on_progress(void* user, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (!transfer.progress || !*transfer.progress) return 0;
  const std::int64_t before = transfer.resumed ? transfer.offset : 0;
  return (*transfer.progress)(transfer.size, total > 0 ? before + total : 0) ? 0 : 1;
}

// Called on every connection before its request is sent, redirects included.
int on_connected(void* user, char* address, char*, int, int) {
  auto& transfer = *static_cast<Transfer*>(user);
  char* scheme = nullptr;
  curl_easy_getinfo(transfer.curl, CURLINFO_SCHEME, &scheme);
  std::string lower = scheme ? scheme : "";
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string_view to(address);
  if (lower == "https" || to.starts_with("127.") || to == "::1") return CURL_PREREQFUNC_OK;
  transfer.problem = fmt::format("plain http to {} is refused", to);
  transfer.final_problem = true;
  return CURL_PREREQFUNC_ABORT;
}

void set_options(Transfer& transfer) {
  CURL* const curl = transfer.curl;
  const Limits& limits = *transfer.limits;
  const char* const schemes = limits.allow_loopback_http ? "http,https" : "https";
  curl_easy_setopt(curl, CURLOPT_URL, transfer.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, schemes);
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, schemes);
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, on_connected);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, &transfer);
  if (limits.allow_loopback_http) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  // As OpenSSL's and the program curl have it: where certificates lie elsewhere than libcurl
  // thinks.
  if (const char* const file = std::getenv("SSL_CERT_FILE"); file != nullptr && *file != '\0')
    curl_easy_setopt(curl, CURLOPT_CAINFO, file);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, static_cast<long>(limits.max_redirects));
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "cupel");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(limits.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   std::max(1L, static_cast<long>(limits.total_timeout.count())));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(limits.slowest));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.stall_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
}

std::unique_ptr<CURL, void (*)(CURL*)> make_curl() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) fail("libcurl could not be started");
  });
  std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) fail("libcurl could not be started");
  return curl;
}

// What an unsuccessful transfer means.
Result judge(const Transfer& transfer, CURLcode code, const char* detail) {
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  const auto result = [&](Outcome outcome, std::string problem) {
    return Result{outcome, std::move(problem), transfer.size, transfer.resumed};
  };
  if (!transfer.problem.empty()) {
    return result(transfer.final_problem ? Outcome::kFailed : Outcome::kCut, transfer.problem);
  }
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return result(Outcome::kCancelled, "cancelled");
    case CURLE_HTTP_RETURNED_ERROR: {
      const bool passing = status == 408 || status == 416 || status == 429 || status == 500 ||
                           status == 502 || status == 503 || status == 504;
      return result(passing ? Outcome::kCut : Outcome::kFailed, fmt::format("HTTP {}", status));
    }
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_OPERATION_TIMEDOUT:
      return result(Outcome::kCut,
                    fmt::format("{} ({} bytes so far)", *detail ? detail : curl_easy_strerror(code),
                                transfer.size));
    default:
      return result(Outcome::kFailed, *detail ? detail : curl_easy_strerror(code));
  }
}

}  // namespace

Result get(const std::string& url, const std::filesystem::path& part, const Limits& limits,
           const Progress& progress) {
  const auto curl = make_curl();
  PartFile file(part);
  Transfer transfer;
  transfer.curl = curl.get();
  transfer.limits = &limits;
  transfer.progress = &progress;
  transfer.file = &file;
  transfer.part = part;
  transfer.url = url;
  set_options(transfer);
  curl_easy_setopt(curl.get(), CURLOPT_MAXFILESIZE_LARGE,
                   static_cast<curl_off_t>(limits.max_bytes));
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, detail);

  const Note note = read_note(part);
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(nullptr, curl_slist_free_all);
  transfer.offset = note.url == url ? file.size() : 0;
  transfer.size = transfer.offset;
  std::string range;
  if (transfer.offset > 0) {
    range = fmt::format("{}-", transfer.offset);
    curl_easy_setopt(curl.get(), CURLOPT_RANGE, range.c_str());
    if (!note.validator.empty()) {
      headers.reset(curl_slist_append(nullptr, ("If-Range: " + note.validator).c_str()));
      curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
    }
  }
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) {
    Result result = judge(transfer, code, detail);
    long status = 0;
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    // The part is not a beginning of what the server has now.
    if (status == 416 || code == CURLE_RANGE_ERROR) {
      discard(part);
      result.size = 0;
    }
    return result;
  }
  if (!transfer.started && !begin_body(transfer)) {  // an empty body
    return {Outcome::kFailed, transfer.problem, transfer.size, false};
  }
  if (transfer.resumed && transfer.range_total > transfer.size) {
    return {Outcome::kCut,
            fmt::format("ended at byte {} of {}", transfer.size, transfer.range_total),
            transfer.size, true};
  }
  file.sync();
  return {Outcome::kDone, "", transfer.size, transfer.resumed};
}

Result probe(const std::string& url, const Limits& limits) {
  const auto curl = make_curl();
  Transfer transfer;
  transfer.curl = curl.get();
  transfer.limits = &limits;
  transfer.url = url;
  set_options(transfer);
  curl_easy_setopt(curl.get(), CURLOPT_RANGE, "0-0");
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, detail);
  const CURLcode code = curl_easy_perform(curl.get());
  if (!transfer.started) {
    if (code == CURLE_OK) return {Outcome::kFailed, "the file is empty", 0, false};
    return judge(transfer, code, detail);
  }
  curl_off_t length = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  const std::int64_t size = transfer.range_total >= 0 ? transfer.range_total : length;
  return {Outcome::kDone, "", std::max<std::int64_t>(size, 0), false};
}

void discard(const std::filesystem::path& part) {
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  std::filesystem::remove(note_of(part), ignored);
}

}  // namespace cupel::http
