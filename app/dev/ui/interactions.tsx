import { Actions } from '#app/_ui/actions.tsx'
import { Button } from '#app/_ui/button.tsx'
import { ButtonLink } from '#app/_ui/button-link.tsx'
import { CheckboxList } from '#app/_ui/checkbox-list.tsx'
import { ErrorCard } from '#app/_ui/error-card.tsx'
import { Field } from '#app/_ui/field.tsx'
import { Form } from '#app/_ui/form.tsx'
import { InteractionHeading } from '#app/_ui/interaction-heading.tsx'
import { LinkedMarks } from '#app/_ui/linked-marks.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

/** The cards of interaction pages; their forms are not sent. */
export function Interactions() {
  return (
    <Section title="Interaction cards">
      <div className={styles.columns}>
        <SignIn />
        <Consent />
        <div className={styles.interaction}>
          <ErrorCard
            title="We can’t return you to Acme Web safely"
            next="Go back to Acme Web. If this keeps happening, tell its developer."
            requestId="01JD3Y8Q2M"
            actions={<ButtonLink href="#content">Back to Acme Web</ButtonLink>}
          >
            The return address isn’t registered for Acme Web. We stopped here, and nothing was shared.
          </ErrorCard>
        </div>
      </div>
    </Section>
  )
}

function SignIn() {
  return (
    <div className={styles.interaction}>
      <InteractionHeading above={<LinkedMarks app="Acme Web" />} title="Sign in to Acme Web">
        <p>Acme Web will never see your password.</p>
      </InteractionHeading>
      <Form action="/dev/ui" method="get">
        <ProblemSummary problems={[{ field: 'j-password', text: 'Wrong e-mail address or password.' }]} />
        <Field
          label="E-mail"
          name="j-email"
          type="email"
          autoComplete="username webauthn"
          defaultValue="ada@example.org"
        />
        <Field
          label="Password"
          name="j-password"
          type="password"
          autoComplete="current-password"
          problem="Wrong e-mail address or password."
          trailing={<a href="#j-password">Forgotten?</a>}
        />
        <Actions stacked>
          <Button wide busyText="Signing in…">
            Sign in
          </Button>
          <ButtonLink href="#j-email" look="quiet" wide>
            Create an account
          </ButtonLink>
        </Actions>
      </Form>
    </div>
  )
}

function Consent() {
  return (
    <div className={styles.interaction}>
      <InteractionHeading above={<LinkedMarks app="Acme Web" />} title="Share with Acme Web?">
        <p>Acme Web is made by Acme Tools.</p>
      </InteractionHeading>
      <Form action="/dev/ui" method="get">
        <CheckboxList
          id="j-scopes"
          legend="Acme Web will see"
          items={[
            { value: 'openid', label: 'Your sign-in ID', locked: true },
            { value: 'profile', label: 'Your name', help: 'Ada L.', checked: true },
          ]}
        />
        <Actions stacked>
          <Button wide busyText="Continuing…">
            Continue
          </Button>
          <Button look="secondary" wide>
            Cancel
          </Button>
        </Actions>
      </Form>
    </div>
  )
}
