// A large array of plain values, zero at first, straight from the operating system.
//
// Pages that nobody has touched take no memory, so an array may be made as large as it can ever become; from 2 MiB on
// the system is asked for huge pages, which saves most of the address translation that random access costs. Throws
// std::bad_alloc.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace oncecheck {

template <class T>
class PageArray {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    PageArray() = default;
    explicit PageArray(std::size_t size) : bytes_(size * sizeof(T)) {
        if (bytes_ < kHugePage) {
            data_ = reinterpret_cast<T*>(map(bytes_));
            return;
        }
        // Huge pages begin at multiples of their size: take more, give back what is before and after.
        char* memory = map(bytes_ + kHugePage);
        const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(memory) % kHugePage) % kHugePage;
        unmap(memory, before);
        memory += before;
        unmap(memory + bytes_, kHugePage - before);
#ifdef MADV_HUGEPAGE
        ::madvise(memory, bytes_, MADV_HUGEPAGE);  // a wish: failure changes nothing but speed
#endif
        data_ = reinterpret_cast<T*>(memory);
    }
    PageArray(PageArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    PageArray& operator=(PageArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    PageArray(const PageArray&) = delete;
    PageArray& operator=(const PageArray&) = delete;
    ~PageArray() { unmap(data_, bytes_); }

    [[nodiscard]] T& operator[](std::size_t index) { return data_[index]; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return data_[index]; }
    [[nodiscard]] bool empty() const { return data_ == nullptr; }

  private:
    static constexpr std::size_t kHugePage = std::size_t{2} << 20;

    [[nodiscard]] static char* map(std::size_t bytes) {
        void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
        return static_cast<char*>(memory);
    }
    static void unmap(void* memory, std::size_t bytes) {
        if (bytes != 0) {
            ::munmap(memory, bytes);
        }
    }

    T* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace oncecheck
