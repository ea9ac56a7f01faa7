import { createServer, type RequestListener } from 'node:http'

/** Serves on the port of the first argument until it is told to end. */
export const listen = (handle: RequestListener): void => {
  createServer(handle).listen(Number(process.argv[2]), '127.0.0.1')
  process.once('SIGTERM', () => process.exit())
}

/** What `POST /subscribe` answers, without anything behind it. */
export const PENDING = {
  message: 'User subscription pending. A confirmation email has been sent.',
  subscription: {
    name: 'Brian Smith',
    email: 'brian.smith@example.com',
    id: 8_127_340_912_345_678,
    feed: 'default',
  },
}

/** What `DELETE /users/{id}` answers to who may not. */
export const FORBIDDEN = {
  error: 'InsufficientPermissions',
  message: "Deleting users requires the 'admin' role.",
}
