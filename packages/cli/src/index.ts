export { CliError, type CliErrorOptions, ExitCode } from './cli-error.ts'
export type {
  CliHost,
  CliIo,
  CliUseCases,
  Diagnosis,
  EmbeddingOptions,
  MailFiles,
  OpenUseCases,
  OutputStream,
  ServeOptions,
  ShownFeed,
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
export { FOREIGN_FORMATS, type ForeignName } from './transfer/foreign/foreign-formats.ts'
export { foreignRows, type UnsentRow } from './transfer/foreign/foreign-rows.ts'
export { kindByName } from './transfer/foreign/foreign-source.ts'
