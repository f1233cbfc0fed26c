import { Button } from '#app/_ui/button.tsx'
import { Card } from '#app/_ui/card.tsx'
import { Dialog } from '#app/_ui/dialog.tsx'
import { EmptyState } from '#app/_ui/empty-state.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { ProblemSummary } from '#app/_ui/problem-summary.tsx'
import styles from './page.module.css'
import { Section } from './section.tsx'

/** Notices, problems, empty states and questions. */
export function Messages() {
  return (
    <Section title="Messages">
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Notice>Acme will never see ada@example.org.</Notice>
          <Notice kind="attention" title="Your recovery codes are nearly used up">
            Two are left. Make new ones before you need them.
          </Notice>
          <Notice kind="danger" title="Mail to your address bounces">
            Three messages to ada@example.org came back as undeliverable.
          </Notice>
          <Notice kind="success" title="Your name was changed" live />
        </div>
        <ProblemSummary
          problems={[
            { field: 'g-redirect', text: 'The redirect address must begin with https://.' },
            { field: 'g-kind', text: 'Choose the kind of app.' },
          ]}
        />
        <EmptyState icon="app" title="No apps yet" action={<Button type="button">Register an app</Button>}>
          Register an app, and people can sign in to it with this service.
        </EmptyState>
        <Card
          title="Acme Web"
          level={3}
          actions={
            <Dialog
              id="g-stop"
              opener="Stop sharing…"
              title="Stop sharing with Acme Web?"
              confirm={<Button look="danger">Stop sharing</Button>}
            >
              <p>Acme Web can no longer see your name or e-mail you. Acme keeps what it has already stored.</p>
            </Dialog>
          }
        >
          <p>Sees your name and a relay address.</p>
        </Card>
      </div>
    </Section>
  )
}
