-- CreateIndex
CREATE INDEX "PushedRequest_requestId_idx" ON "PushedRequest"("requestId");
