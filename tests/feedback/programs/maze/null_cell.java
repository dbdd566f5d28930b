import java.util.*;

public class Main {
    static class Cell {
        int x, y;
        Cell before;
        char letter;
        Cell(int x, int y, Cell before, char letter) { this.x = x; this.y = y; this.before = before; this.letter = letter; }
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        List<String> lines = new ArrayList<>();
        while (in.hasNextLine()) lines.add(in.nextLine());
        int h = lines.indexOf("");
        String[] e = lines.get(h + 1).split(","), g = lines.get(h + 2).split(",");
        int w = lines.get(0).length();
        Cell[][] cells = new Cell[h][w];
        Cell first = new Cell(Integer.parseInt(e[0]), Integer.parseInt(e[1]), null, ' ');
        cells[first.y][first.x] = first;
        Queue<Cell> queue = new LinkedList<>();
        queue.add(first);
        int[] dx = {0, 1, 0, -1}, dy = {-1, 0, 1, 0};
        while (!queue.isEmpty()) {
            Cell c = queue.remove();
            int v = Integer.parseInt(lines.get(c.y).substring(c.x, c.x + 1), 16);
            for (int i = 0; i < 4; i++) {
                if ((v >> i & 1) == 1) continue;
                int x = c.x + dx[i], y = c.y + dy[i];
                if (cells[y][x] == null) {
                    cells[y][x] = new Cell(x, y, c, "NESW".charAt(i));
                    queue.add(cells[y][x]);
                }
            }
        }
        StringBuilder path = new StringBuilder();
        for (Cell c = cells[Integer.parseInt(g[1])][Integer.parseInt(g[0])]; c.before != null; c = c.before) path.append(c.letter);
        System.out.println(path.reverse());
    }
}
