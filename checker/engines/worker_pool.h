// A fixed number of threads that do one job together, again and again; the calling thread is one of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace oncecheck {

class WorkerPool {
  public:
    // Requires size >= 1. Starts size - 1 threads.
    explicit WorkerPool(std::size_t size);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

    // Calls work(worker) once for each worker 0..size-1, worker 0 on the calling thread, and waits for all. Throws
    // what the first of them that failed threw.
    void run(const std::function<void(std::size_t worker)>& work);

  private:
    void serve(std::size_t worker);
    void call(const std::function<void(std::size_t worker)>& work, std::size_t worker);

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t round_ = 0;
    std::size_t running_ = 0;
    bool ends_ = false;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace oncecheck
