-- Names that look alike are found by what they look like; the expression is the one in lib/db/sign-up-store.ts.
CREATE INDEX "Person_look_idx" ON "Person" (replace(replace(replace(replace(replace(replace(replace("username", 'rn', 'm'), 'vv', 'w'), '0', 'o'), '1', 'l'), 'i', 'l'), '.', '-'), '_', '-'));
