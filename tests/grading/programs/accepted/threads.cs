using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

class Threads {
    static void Main() {
        int sum = 0;
        var all = Enumerable.Range(0, 20).Select(_ => new Thread(() => Interlocked.Increment(ref sum))).ToList();
        all.ForEach(one => one.Start());
        all.ForEach(one => one.Join());
        Parallel.For(0, 100, _ => Interlocked.Increment(ref sum));
        var later = Task.WhenAll(Enumerable.Range(0, 50).Select(n => Task.Run(() => { Thread.Sleep(1); return n; })));
        Console.WriteLine(Console.ReadLine().Split().Sum(int.Parse) + sum - 120 + later.Result.Sum() - 1225);
    }
}
