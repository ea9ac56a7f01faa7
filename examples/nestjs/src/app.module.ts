import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  Headers,
  HttpCode,
  Inject,
  Ip,
  Module,
  Param,
  Post,
  Res,
} from '@nestjs/common'
import { AuthenticateUseCase, DeleteUserUseCase, DomainError, SubscribeUseCase } from '@rollcall/core'
import {
  type Answer,
  accessTokenIn,
  consentSource,
  errorAnswer,
  readSignUp,
  signUpAnswer,
} from '@rollcall/http-koa/host'
import type { Response } from 'express'

const send = (response: Response, { status, headers, body }: Answer): void => {
  response.writeHead(status, headers).end(body)
}

/** What is refused by Rollcall is answered as Rollcall answers it; all else is up to Nest. */
@Catch(DomainError)
export class RefusalFilter implements ExceptionFilter<DomainError> {
  catch(error: DomainError, host: ArgumentsHost): void {
    const answer = errorAnswer(error)
    if (answer !== undefined) send(host.switchToHttp().getResponse(), answer)
  }
}

@Controller()
export class SubscriptionsController {
  constructor(@Inject(SubscribeUseCase) private readonly subscribe: SubscribeUseCase) {}

  @Post('subscribe')
  async signUp(
    @Body() body: unknown,
    @Ip() address: string,
    @Headers('user-agent') userAgent: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const command = { ...readSignUp(body), source: consentSource('form', { address, userAgent }) }
    send(response, signUpAnswer(await this.subscribe.execute(command), command))
  }
}

@Controller('users')
export class UsersController {
  constructor(
    @Inject(AuthenticateUseCase) private readonly authenticate: AuthenticateUseCase,
    @Inject(DeleteUserUseCase) private readonly deleteUser: DeleteUserUseCase,
  ) {}

  @Delete(':id')
  @HttpCode(204)
  async remove(
    @Param('id') userId: string,
    @Headers('authorization') authorization: string | undefined,
  ): Promise<void> {
    const caller = await this.authenticate.execute({ token: accessTokenIn(authorization), channel: 'http' })
    await this.deleteUser.execute({ userId }, caller)
  }
}

@Module({ controllers: [SubscriptionsController, UsersController] })
export class AppModule {}
