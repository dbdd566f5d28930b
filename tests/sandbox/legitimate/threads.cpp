#include <atomic>
#include <future>
#include <iostream>
#include <thread>
#include <vector>
int main()
{
    std::atomic<int> sum{0};
    std::vector<std::thread> all;
    for (int i = 0; i < 30; i++) all.emplace_back([&] { sum += 1; });
    for (auto &t : all) t.join();
    auto later = std::async(std::launch::async, [] { return 12; });
    if (sum + later.get() == 42) std::cout << "ok\n";
}
