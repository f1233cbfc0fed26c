-- CreateTable
CREATE TABLE "PushedRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appId" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");
