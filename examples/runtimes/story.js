import { InsufficientPermissions, operator } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'

/** A sign-up, its confirmation and two deletions, over the core and its ports in memory. Gives what came of each. */
export const tell = async () => {
  const { useCases, transport } = openMemoryService({ publicUrl: 'https://news.example.com' })
  const lines = []

  const source = { via: 'form', clientAddress: undefined, userAgent: undefined }
  const { email, feed } = await useCases.subscribe.execute({ email: 'ada@example.com', name: 'Ada', source })
  lines.push(`${email} asked for '${feed}'`)

  await useCases.deliverOutbox.execute({ limit: 10 })
  const token = transport.mails[0].links.confirm.split('/').at(-1)
  const { subscription } = await useCases.confirmSubscription.execute({ token, source })
  lines.push(`the subscription is ${subscription.status}`)

  const root = operator('root')
  await useCases.putUser.execute({ userId: 'ada', email, name: 'Ada', roles: [] }, root)
  const eve = { id: 'eve', roles: ['auditor'], roleSource: 'token', channel: 'library' }
  try {
    await useCases.deleteUser.execute({ userId: 'ada' }, eve)
  } catch (error) {
    if (!(error instanceof InsufficientPermissions)) throw error
    lines.push(error.message)
  }
  const { userId, subscriptionsErased } = await useCases.deleteUser.execute(
    { userId: 'ada', subscriptions: 'erase' },
    root,
  )
  lines.push(`${userId} is deleted, with ${subscriptionsErased} subscription`)
  return lines
}
