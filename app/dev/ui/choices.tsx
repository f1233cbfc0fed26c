import { Checkbox } from '#app/_ui/checkbox.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { RadioList } from '#app/_ui/radio-list.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

/** Lists to choose from. */
export function Choices() {
  return (
    <Section title="Choices">
      <div className={styles.columns}>
        <CheckboxList
          id="g-scopes"
          legend="Acme Web will see"
          items={[
            { value: 'openid', label: 'Your sign-in ID', help: 'An ID only Acme sees', locked: true },
            { value: 'profile', label: 'Your name', help: 'Ada L.', checked: true },
            { value: 'avatar', label: 'Your picture' },
          ]}
        />
        <RadioList
          name="g-mail"
          legend="How can Acme e-mail you?"
          chosen="relay"
          items={[
            { value: 'relay', label: 'Hide my e-mail', help: 'k7m2p@relay.example, forwarded to you' },
            { value: 'own', label: 'Share my e-mail', help: 'ada@example.org' },
            { value: 'none', label: 'Share no e-mail address' },
          ]}
        />
        <RadioList
          name="g-kind"
          legend="Kind of app"
          help="You can’t change this later."
          problem="Choose the kind of app."
          items={[
            { value: 'web', label: 'Web app with a server' },
            { value: 'public', label: 'App on a device', disabled: true },
          ]}
        />
        <Checkbox name="g-stay" label="Keep me signed in" help="Not on a computer you share." checked />
      </div>
    </Section>
  )
}
