// Each level asks for two different ones of the next: 2^40 of them.
template <int depth, long path> struct Tree {
    static constexpr long value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <long path> struct Tree<0, path> { static constexpr long value = path; };
int main() { return Tree<40, 0>::value % 2; }
