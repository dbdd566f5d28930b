import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

public class Labyrinth {
    record Cell(int x, int y) {
        static Cell parse(String text) {
            String[] parts = text.split(",");
            return new Cell(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        List<String> rows = new ArrayList<>();
        for (String row = in.readLine(); !row.isEmpty(); row = in.readLine()) rows.add(row);
        Cell entry = Cell.parse(in.readLine()), exit = Cell.parse(in.readLine());

        int[] dx = {0, 1, 0, -1}, dy = {-1, 0, 1, 0};
        char[][] came = new char[rows.size()][rows.get(0).length()];
        ArrayDeque<Cell> queue = new ArrayDeque<>(List.of(entry));
        came[entry.y][entry.x] = '.';
        while (!queue.isEmpty() && came[exit.y][exit.x] == 0) {
            Cell cell = queue.poll();
            int walls = Character.digit(rows.get(cell.y).charAt(cell.x), 16);
            for (int side = 0; side < 4; side++) {
                int x = cell.x + dx[side], y = cell.y + dy[side];
                if ((walls & 1 << side) != 0 || came[y][x] != 0) continue;
                came[y][x] = "NESW".charAt(side);
                queue.add(new Cell(x, y));
            }
        }
        if (came[exit.y][exit.x] == 0) {
            System.out.println("NO PATH");
            return;
        }
        StringBuilder path = new StringBuilder();
        for (int x = exit.x, y = exit.y; came[y][x] != '.';) {
            int side = "NESW".indexOf(came[y][x]);
            path.append(came[y][x]);
            x -= dx[side];
            y -= dy[side];
        }
        System.out.println(path.reverse());
    }
}
