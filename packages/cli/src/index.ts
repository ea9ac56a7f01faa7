export { CliError, type CliErrorOptions } from './cli-error.ts'
export type { CliHost, CliUseCases, Diagnosis, OpenUseCases, ServeOptions } from './cli-host.ts'
export type { CliIo, OutputStream } from './cli-io.ts'
export { type Cli, createCli } from './create-cli.ts'
export { ExitCode } from './exit-code.ts'
export type {
  BackupOutcome,
  MoveOutcome,
  MoveProgress,
  RestoreOrder,
  RestoreOutcome,
  RestorePlan,
  StorageHost,
} from './storage-host.ts'
