import { createServer, type RequestListener } from 'node:http'

/** Serves on the port of the first argument until SIGTERM. */
export const listen = (handle: RequestListener): void => {
  createServer(handle).listen(Number(process.argv[2]), '127.0.0.1')
  process.once('SIGTERM', () => process.exit())
}

/** A constant answer to `POST /subscribe`. */
export const PENDING = {
  message: 'User subscription pending. A confirmation email has been sent.',
  subscription: {
    name: 'Brian Smith',
    email: 'brian.smith@example.com',
    id: 8_127_340_912_345_678,
    feed: 'default',
  },
}

/** A constant refusal of `DELETE /users/{id}`. */
export const FORBIDDEN = {
  error: 'InsufficientPermissions',
  message: "Deleting users requires the 'admin' role.",
}
