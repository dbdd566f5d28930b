#define A(x) int x = undeclared_name_number_ ## x + also_undeclared_ ## x;
#define B(x) A(x ## 0) A(x ## 1) A(x ## 2) A(x ## 3) A(x ## 4) A(x ## 5) A(x ## 6) A(x ## 7) A(x ## 8) A(x ## 9)
#define C(x) B(x ## 0) B(x ## 1) B(x ## 2) B(x ## 3) B(x ## 4) B(x ## 5) B(x ## 6) B(x ## 7) B(x ## 8) B(x ## 9)
int main() { C(a) C(b) C(c) }
