// Sixteen times sixteen times sixteen mistakes, each with a name as long as a line.
#define M(n) int m##n = there_is_no_such_name_and_it_is_said_again_and_again_until_nobody_reads_it_any_more_##n;
#define A(n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9) M(n##a) M(n##b) M(n##c) M(n##d) M(n##e) M(n##f)
#define B(n) A(n##0) A(n##1) A(n##2) A(n##3) A(n##4) A(n##5) A(n##6) A(n##7) A(n##8) A(n##9) A(n##a) A(n##b) A(n##c) A(n##d) A(n##e) A(n##f)
B(0) B(1)
