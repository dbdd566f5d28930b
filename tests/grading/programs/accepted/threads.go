package main

import (
	"fmt"
	"os"
	"sync"
)

func main() {
	var a, b, sum int
	fmt.Scan(&a, &b)
	var all sync.WaitGroup
	var lock sync.Mutex
	for i := 0; i < 1000; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			if file, err := os.Open("/dev/null"); err == nil {
				file.Read(make([]byte, 8))
				file.Close()
				lock.Lock()
				sum++
				lock.Unlock()
			}
		}()
	}
	all.Wait()
	fmt.Println(a + b + sum - 1000)
}
