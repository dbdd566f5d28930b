#include <queue>
int bfs(int from, int to) { std::queue<int> queue; queue.push(from); return queue.front() - to; }
