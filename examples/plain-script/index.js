import { InsufficientPermissions, STANDARD_PERMISSIONS, TablePolicy } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'

const { useCases, transport } = openMemoryService({ publicUrl: 'https://news.example.com' })

// A form was submitted. Once this resolves, the request is stored; if no service is running, it is carried out, too.
const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
const pending = await useCases.subscribe.execute({ email: 'ada@example.com', name: 'Ada', source })
console.log(`${pending.email} asked for '${pending.feed}'`)

// The mail goes out, and its reader follows the link.
await useCases.deliverOutbox.execute({ limit: 10 })
const [mail] = transport.mails
const token = mail?.links.confirm?.split('/').at(-1) ?? ''
const { subscription } = await useCases.confirmSubscription.execute({ token, source })
console.log(`the subscription is ${subscription.status}`)

// What is not for everybody takes the caller, and asks the policy before anything else.
/** @type {import('@rollcall/core').Caller} */
const eve = { id: 'eve', roles: ['support-lead'], roleSource: 'token', channel: 'library' }
try {
  await useCases.deleteUser.execute({ userId: '123' }, eve)
} catch (error) {
  if (!(error instanceof InsufficientPermissions)) throw error
  console.log(error.message)
}

// The policy is a table from permission to roles. Pass your own to `openMemoryService` or `createUseCases`.
const permissions = {
  ...STANDARD_PERMISSIONS,
  'users:delete': { doing: 'Deleting users', roles: ['admin', 'support-lead'] },
}
console.log(`with our own table, eve may delete: ${new TablePolicy(permissions).decide({ caller: eve, permission: 'users:delete' }).allowed}`)
