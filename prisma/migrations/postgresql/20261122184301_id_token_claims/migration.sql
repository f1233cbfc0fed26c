-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN     "idTokenClaims" TEXT NOT NULL DEFAULT '';
