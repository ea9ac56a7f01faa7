export { CliError, type CliErrorOptions, ExitCode } from './cli-error.ts'
export type {
  CliHost,
  CliIo,
  Diagnosis,
  DirectUseCases,
  EmbeddingOptions,
  MailFiles,
  OpenService,
  OutputStream,
  ServeOptions,
  WrittenMail,
} from './cli-host.ts'
export { type Cli, createCli } from './create-cli.ts'
export type {
  BackupDigest,
  BackupOutcome,
  MoveOutcome,
  MoveProgress,
  RestoreOrder,
  RestoreOutcome,
  RestorePlan,
  StorageHost,
  VerifyOrder,
  VerifyOutcome,
} from './storage-host.ts'
