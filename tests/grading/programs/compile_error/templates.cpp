template <long N, long M> struct Deep { static const long value = Deep<N - 1, M * 2>::value + Deep<N - 1, M * 2 + 1>::value; };
template <long M> struct Deep<0, M> { static const long value = M; };
int main() { return Deep<40, 1>::value; }
