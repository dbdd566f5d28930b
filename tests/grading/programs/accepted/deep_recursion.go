package main

import "fmt"

func depth(n int) int {
	var room [8]int
	room[n%8] = 1
	if n == 0 {
		return 0
	}
	return depth(n-1) + room[n%8]
}

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a + b + depth(300000) - 300000)
}
