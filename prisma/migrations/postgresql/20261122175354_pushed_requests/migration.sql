-- CreateTable
CREATE TABLE "PushedRequest" (
    "id" TEXT NOT NULL,
    "appId" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PushedRequest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PushedRequest_expiresAt_idx" ON "PushedRequest"("expiresAt");
