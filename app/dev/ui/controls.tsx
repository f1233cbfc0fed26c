import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Icon } from '#app/_ui/icon.tsx'
import { SelectField } from '#app/_ui/select-field.tsx'
import { TextField } from '#app/_ui/text-field.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const
const verbs = { primary: 'Continue', secondary: 'Not now', quiet: 'Use another way', danger: 'Delete account' }

/** Buttons and fields. */
export function Controls() {
  return (
    <Section title="Buttons and fields">
      <div className={styles.row}>
        {looks.map((look) => (
          <Button key={look} type="button" look={look}>
            {verbs[look]}
          </Button>
        ))}
        <Button type="button" look="secondary" icon={<Icon name="plus" />}>
          Add a passkey
        </Button>
      </div>
      <div className={styles.row}>
        <ButtonLink href="#content">Link</ButtonLink>
        <Button type="button" disabled>
          Disabled
        </Button>
        <Button type="button" aria-disabled>
          Signing in…
        </Button>
      </div>
      <div className={styles.columns}>
        <Field label="E-mail" name="g-email" type="email" autoComplete="email" defaultValue="ada@example.org" />
        <Field label="Name" name="g-name" optional help="Shown to the apps you allow." />
        <Field
          label="Password"
          name="g-password"
          type="password"
          autoComplete="current-password"
          trailing={<a href="#g-password">Forgotten?</a>}
        />
        <Field
          label="Code"
          name="g-code"
          code
          inputMode="numeric"
          autoComplete="one-time-code"
          defaultValue="402 118"
        />
        <Field
          label="Redirect address"
          name="g-redirect"
          type="url"
          defaultValue="http://acme.example/back"
          help="Where people return after signing in."
          problem="This address must begin with https://."
        />
        <Field
          label="Client ID"
          name="g-client"
          readOnly
          defaultValue="app_7KQ2M"
          help="Issued by this service; it doesn’t change."
        />
        <TextField label="Biography" name="g-biography" optional help="A few words about you." />
        <SelectField
          label="Region"
          name="g-region"
          defaultValue=""
          items={[
            { value: '', label: 'Prefer not to say' },
            { value: 'JP', label: 'Japan' },
          ]}
          problem="Choose an answer from the list."
        />
      </div>
    </Section>
  )
}
