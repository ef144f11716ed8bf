/** How a worker process is started: what keeps its memory small. What it brought stands in docs/performance.md. */

/**
 * A small nursery is swept often, and with it goes the memory of pictures that nobody needs any more. V8 looks through
 * the whole heap for so many bytes of new buffers; it may grow by twice of what is left, so that it looks less often.
 */
export const WORKER_ARGUMENTS = ['--max-old-space-size=768', '--max-semi-space-size=16', '--heap-growing-percent=200'];

/**
 * glibc: one heap for all threads, and what is as large as a picture goes back to the system at once, but not the bytes
 * of the small copy that each step makes anew. In bytes.
 */
export const WORKER_MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '2000000',
  MALLOC_TRIM_THRESHOLD_: '8388608',
};
