-- CreateIndex
CREATE INDEX "Subject_teamId_idx" ON "Subject"("teamId");
