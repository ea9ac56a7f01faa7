import {
  challengeModule,
  coreModule,
  mailModule,
  metricsModule,
  ownTokensModule,
  platformModule,
  rateLimitModule,
  readConfig,
  silentLog,
  sqliteModule,
  TOKENS,
  webhookModule,
} from '@rollcall/app'
import { Container } from 'inversify'
import { StaffRepository } from './staff-repository.ts'

/** The container of a host: its own bindings, Rollcall's modules, and in place of Rollcall's users its staff. */
export const createContainer = (folder: string): Container => {
  const container = new Container()
  container.load(platformModule, sqliteModule, mailModule, webhookModule, ownTokensModule)
  container.load(challengeModule, rateLimitModule, metricsModule, coreModule)
  container.bind(TOKENS.config).toConstantValue(readConfig({ ROLLCALL_DATA_DIR: folder }))
  container.bind(TOKENS.log).toConstantValue(silentLog)
  container.bind(TOKENS.userRepository).toConstantValue((sql) => new StaffRepository(sql))
  return container
}
