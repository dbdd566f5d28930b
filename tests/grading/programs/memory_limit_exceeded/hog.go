package main

func main() {
	room := [][]byte{}
	for {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 1
		}
		room = append(room, block)
	}
}
