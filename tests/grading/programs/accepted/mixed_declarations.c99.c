#include <stdio.h>
#include <math.h>
int main(void) {
    double a;
    scanf("%lf", &a);
    double b;
    scanf("%lf", &b);
    for (int i = 0; i < 1; i++) printf("%.0f\n", floor(a + b + 0.5));
    return 0;
}
