#include <iostream>
#include <set>
#include <string>

int main() {
    std::string a, b;
    while (std::cin >> a >> b) {
        std::set<std::string> layer{a};
        int n = 0;
        while (!layer.count(b) && n < 5) {
            std::set<std::string> next;
            for (const auto& s : layer)
                for (int i = -2; i <= 2; ++i)
                    for (int j = -2; j <= 2; ++j) {
                        if (i * i + j * j != 5) continue;
                        std::string t{char(s[0] + i), char(s[1] + j)};
                        if (t[0] >= 'a' && t[0] <= 'h' && t[1] >= '1' && t[1] <= '8') next.insert(t);
                    }
            layer = next;
            ++n;
        }
        std::cout << "To get from " << a << " to " << b << " takes " << n << " knight moves.\n";
    }
}
