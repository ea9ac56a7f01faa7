// Everything here is pure: test files may share a worker, and stay as quick as they should be.
export default { test: { isolate: false } }
