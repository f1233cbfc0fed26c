-- CreateIndex
CREATE INDEX "Activity_at_idx" ON "Activity"("at");
