import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common'
import { compose, createLog, openService, readConfig, type Service } from '@rollcall/app'
import { AuthenticateUseCase, DeleteUserUseCase, SubscribeUseCase, type UseCases } from '@rollcall/core'

/** The token of the whole service; each use case is provided under its class. */
export const ROLLCALL = Symbol('Rollcall')

const open = async (environment: Record<string, string>): Promise<Service> => {
  const config = readConfig(environment)
  return await openService(compose(config, await createLog(config)))
}

const useCase = <T>(provide: Type<T>, of: (useCases: UseCases) => T) => ({
  provide,
  useFactory: ({ useCases }: Service) => of(useCases),
  inject: [ROLLCALL],
})

@Global()
@Module({})
export class RollcallModule implements OnApplicationShutdown {
  constructor(@Inject(ROLLCALL) private readonly rollcall: Service) {}

  /** @param environment the settings that `rollcall serve` reads from the environment */
  static forRoot(environment: Record<string, string>): DynamicModule {
    const providers = [
      { provide: ROLLCALL, useFactory: () => open(environment) },
      useCase(SubscribeUseCase, ({ subscribe }) => subscribe),
      useCase(DeleteUserUseCase, ({ deleteUser }) => deleteUser),
      useCase(AuthenticateUseCase, ({ authenticate }) => authenticate),
    ]
    return { module: RollcallModule, providers, exports: providers }
  }

  /** Nest takes no more requests by now: Rollcall finishes its mails and closes the database. */
  async onApplicationShutdown(): Promise<void> {
    await this.rollcall.close()
  }
}
