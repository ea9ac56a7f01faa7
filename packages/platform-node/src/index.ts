export * from './files.ts'
export { isLoopback } from './is-loopback.ts'
export { OperatorError, type OperatorErrorOptions } from './operator-error.ts'
export * from './time.ts'
