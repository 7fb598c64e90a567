/// The binary heap of what is pending, in the order of (time, sequence).
extension EventLoop {
    @inlinable
    mutating func push(_ entry: Entry) {
        heap.append(entry)
        siftUp(heap.count - 1)
    }

    @inlinable
    mutating func removeEntry(at position: Int) {
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        siftDown(position)
        siftUp(position)
    }

    @inlinable
    mutating func siftUp(_ start: Int) {
        var child = start
        let entry = heap[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard entry < heap[parent] else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = entry
    }

    @inlinable
    mutating func siftDown(_ start: Int) {
        var parent = start
        let entry = heap[parent]
        let count = heap.count
        while true {
            var child = 2 * parent + 1
            guard child < count else { break }
            if child + 1 < count && heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < entry else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = entry
    }
}
