import { Avatar } from '#app/_ui/avatar.tsx'
import { CodeBlock } from '#app/_ui/code-block.tsx'
import { Table } from '#app/_ui/table.tsx'
import { TimeAgo } from '#app/_ui/time-ago.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

const rows = [
  { device: 'Firefox on Linux', place: '192.0.2.14', minutes: 0.3 },
  { device: 'Safari on iPhone', place: '2001:db8::7', minutes: 190 },
  { device: 'Chrome on Windows', place: '198.51.100.23', minutes: 60 * 24 * 12 },
]

const settings = `ISSUER=https://id.example.org
CLIENT_ID=app_7KQ2M
REDIRECT_URI=https://web.acme.example/signed-in/with/a/long/address/that/scrolls`

/** Avatars, tables, times and codes. */
export function Records({ now }: { now: Date }) {
  return (
    <Section title="Records">
      <div className={styles.row}>
        <Avatar name="Ada Lovelace" size="l" />
        <Avatar name="山田 花子" />
        <Avatar name="Ada" size="s" />
        <Avatar name="Acme Web" kind="app" size="l" />
        <Avatar name="天気" kind="app" />
        <Avatar name="Icon" kind="app" src="/icon.svg" />
      </div>
      <Table label="Where you’re signed in" head={['Device', 'Address', 'Last used']}>
        {rows.map(({ device, place, minutes }) => (
          <tr key={device}>
            <th scope="row">{device}</th>
            <td>{place}</td>
            <td>
              <TimeAgo at={new Date(now.getTime() - minutes * 60_000)} />
            </td>
          </tr>
        ))}
      </Table>
      <div className={styles.columns}>
        <CodeBlock id="g-settings" label="Settings for your app">
          {settings}
        </CodeBlock>
        <CodeBlock id="g-secret" label="Client secret">
          pst_5f3MZq8nLr2vXk0TgYd1
        </CodeBlock>
      </div>
    </Section>
  )
}
