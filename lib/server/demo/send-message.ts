import { createTransport } from 'nodemailer'

/** Sends a message of the demo app to an address. */
export type SendMessage = (to: string, name: string) => Promise<unknown>

const limits = { connectionTimeout: 5000, greetingTimeout: 4000, socketTimeout: 8000 }

/** Opens the demo app's mail: straight to the relay of this process, as the mail server of an app would deliver it. */
export function openSender({ host, port }: { host: string; port: number }): SendMessage {
  const transport = createTransport({ host, port, ignoreTLS: true, ...limits })
  return (to, name) =>
    transport.sendMail({
      from: { name: 'Demo App', address: 'hello@demo-app.example' },
      // As an object, the address is not parsed as a list.
      to: { name: '', address: to },
      subject: 'A message of the Demo App',
      text: `Hello ${name},\n\nthis app knows only your relay address, and its message reached you all the same.\n`,
    })
}
