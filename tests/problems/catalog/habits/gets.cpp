// As programs from before 2011 read their lines. Right under C++11, an error above.
#include <cstdio>
#include <queue>
using namespace std;

int main() {
    char line[100];
    while (gets(line)) {
        int steps[8][8] = {}, x = line[0] - 'a', y = line[1] - '1', gx = line[3] - 'a', gy = line[4] - '1';
        queue<int> waiting;
        waiting.push(x * 8 + y);
        steps[x][y] = 1;
        while (!steps[gx][gy]) {
            x = waiting.front() / 8, y = waiting.front() % 8;
            waiting.pop();
            for (int nx = 0; nx < 8; nx++)
                for (int ny = 0; ny < 8; ny++)
                    if ((nx - x) * (nx - x) + (ny - y) * (ny - y) == 5 && !steps[nx][ny]) {
                        steps[nx][ny] = steps[x][y] + 1;
                        waiting.push(nx * 8 + ny);
                    }
        }
        printf("To get from %c%c to %c%c takes %d knight moves.\n", line[0], line[1], line[3], line[4], steps[gx][gy] - 1);
    }
    return 0;
}
