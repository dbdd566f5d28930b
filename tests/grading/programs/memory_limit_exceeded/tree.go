package main

type node struct{ left, right *node }

func main() {
	root := &node{}
	for {
		root = &node{root, &node{}}
	}
}
