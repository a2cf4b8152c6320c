#include "checker/engines/worker_pool.h"

#include <utility>

namespace oncecheck {

WorkerPool::WorkerPool(std::size_t size) {
    for (std::size_t worker = 1; worker < size; ++worker) {
        threads_.emplace_back([this, worker] { serve(worker); });
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) {
        thread.join();
    }
}

void WorkerPool::run(const std::function<void(std::size_t)>& work) {
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        running_ = threads_.size();
        ++round_;
    }
    changed_.notify_all();
    call(work, 0);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return running_ == 0; });
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void WorkerPool::serve(std::size_t worker) {
    std::size_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || round_ != seen; });
        if (ends_) {
            return;
        }
        seen = round_;
        lock.unlock();
        call(*work_, worker);
        lock.lock();
        if (--running_ == 0) {
            changed_.notify_all();
        }
    }
}

void WorkerPool::call(const std::function<void(std::size_t)>& work, std::size_t worker) {
    try {
        work(worker);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) {
            failure_ = std::current_exception();
        }
    }
}

}  // namespace oncecheck
