// An HTTP server on 127.0.0.1 whose every path may misbehave in its own way.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cupel {

// One accepted request; the connection closes when its handler returns.
class Exchange {
 public:
  Exchange(int socket, const std::atomic<bool>& stop) : socket_(socket), stop_(stop) {
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos && text.size() < 65536) {
      const ssize_t got = recv(socket_, buffer, sizeof buffer, 0);
      if (got <= 0) return;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    const std::size_t slash = text.find('/');
    path = text.substr(slash, text.find(' ', slash) - slash);
    for (std::size_t at = text.find("\r\n"); at + 4 < text.size();) {
      const std::size_t end = text.find("\r\n", at + 2);
      const std::string line = text.substr(at + 2, end - at - 2);
      const std::size_t colon = line.find(": ");
      if (colon != std::string::npos) {
        std::string name = line.substr(0, colon);
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        headers[name] = line.substr(colon + 2);
      }
      at = end;
    }
  }

  std::string path;
  std::map<std::string, std::string> headers;  // names in lower case

  // First byte asked for; 0 without a range.
  std::size_t range_start() const {
    const auto range = headers.find("range");
    return range == headers.end() ? 0 : std::stoul(range->second.substr(6));
  }
  bool send(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t sent = ::send(socket_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0 || stop_) return false;
      at += static_cast<std::size_t>(sent);
    }
    return true;
  }
  // Does nothing, until the peer has gone or the test is over.
  void stall() const {
    char byte;
    for (int i = 0; i < 400 && !stop_; ++i) {
      if (recv(socket_, &byte, 1, MSG_DONTWAIT) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
  }

 private:
  int socket_;
  const std::atomic<bool>& stop_;
};

// One exchange per connection, and every answer with a length says so.
class LocalServer {
 public:
  using Handler =
      std::function<void(const Exchange&, int nth)>;  // nth request for its path, from 0

  LocalServer() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        listen(listener_, 16) != 0 ||
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      ADD_FAILURE() << "no local server";
    }
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~LocalServer() {
    stop_ = true;
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    close(listener_);
    for (std::thread& worker : workers_) worker.join();
  }

  void on(const std::string& path, Handler handler) {
    const std::lock_guard lock(mutex_);
    handlers_[path] = std::move(handler);
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  int requests(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return counts_[path];
  }

 private:
  void accept_all() {
    while (!stop_) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      workers_.emplace_back([this, connection] {
        {
          const Exchange exchange(connection, stop_);
          Handler handler;
          int nth = 0;
          {
            const std::lock_guard lock(mutex_);
            nth = counts_[exchange.path]++;
            const auto found = handlers_.find(exchange.path);
            if (found != handlers_.end()) handler = found->second;
          }
          if (handler) {
            handler(exchange, nth);
          } else {
            exchange.send(
                "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 5\r\n\r\nnope\n");
          }
        }
        close(connection);
      });
    }
  }

  int listener_;
  int port_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::map<std::string, Handler> handlers_;
  std::map<std::string, int> counts_;
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

// Serves `body`, ranges included. `limit` bytes at most are sent of what is announced.
inline void serve(const Exchange& exchange, const std::string& body, const std::string& etag,
                  std::size_t limit = std::string::npos) {
  const auto condition = exchange.headers.find("if-range");
  const bool same = condition == exchange.headers.end() || condition->second == etag;
  const std::size_t start = same ? exchange.range_start() : 0;
  if (start > 0 && start >= body.size()) {
    exchange.send(
        "HTTP/1.1 416 Range Not Satisfiable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  std::string head = exchange.headers.contains("range") && same
                         ? "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " +
                               std::to_string(start) + "-" + std::to_string(body.size() - 1) + "/" +
                               std::to_string(body.size()) + "\r\n"
                         : std::string("HTTP/1.1 200 OK\r\n");
  head += "ETag: " + etag +
          "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size() - start) +
          "\r\n\r\n";
  exchange.send(head + body.substr(start, limit));
}

}  // namespace cupel
