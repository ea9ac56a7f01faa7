export { CliError, type CliErrorOptions, ExitCode, usageError } from './cli-error.ts'
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
export type { Situation } from './next-steps.ts'
export type {
  BackupDigest,
  BackupOutcome,
  BackupStep,
  DataMigrationOutcome,
  DataMigrationProgress,
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
